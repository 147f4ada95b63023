defmodule Mix.Tasks.Reverl.Record do
  @shortdoc "Records the tests on a real node"
  @moduledoc """
  Records a task of mix, `test` unless one is named, on a real node, in `tests.reverl`.

      mix reverl.record [TASK ARGUMENTS...]
  """
  use Mix.Task

  @impl true
  def run([]), do: run(["test"])
  def run(task), do: MixReverl.hand_over(["record", "-o", "tests.reverl", "--", "mix" | task])
end
