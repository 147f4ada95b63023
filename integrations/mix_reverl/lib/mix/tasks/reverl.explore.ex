defmodule Mix.Tasks.Reverl.Explore do
  @shortdoc "Explores every execution of each ExUnit test"
  @moduledoc """
  Explores every execution of each ExUnit test of this project.

      mix reverl.explore [MODULE...] [OPTIONS OF reverl explore]
  """
  use Mix.Task

  @impl true
  def run(args), do: MixReverl.hand_over(["explore", ".", "--exunit" | args])
end
