defmodule MixReverl do
  @moduledoc "Hands a project to the command `reverl`, for the tasks of mix."

  @doc """
  Runs the command `reverl` in the directory of the project and shows what it says as it comes. `REVERL`
  names the command if it is not in the path. The task fails if the command does.
  """
  def hand_over([job | _] = args) do
    command = System.get_env("REVERL") || System.find_executable("reverl")
    unless command, do: Mix.raise("the command 'reverl' is not in the path; set REVERL to where it is")

    # What a node sets in its environment is for itself alone.
    env = for name <- ["BINDIR", "ROOTDIR", "EMU", "PROGNAME"], do: {name, nil}
    options = [into: IO.stream(:stdio, :line), stderr_to_stdout: true, env: env]

    case System.cmd(command, args, options) do
      {_, 0} -> :ok
      {_, 3} -> Mix.raise("nothing failed so far, but not everything was explored (see above)")
      {_, _} -> Mix.raise("reverl #{job} found failures (see above)")
    end
  end
end
