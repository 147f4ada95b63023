defmodule Reverl.MixProject do
  use Mix.Project

  def project do
    [
      app: :mix_reverl,
      version: "0.1.0",
      elixir: "~> 1.14",
      description: "Explore, run and record a project with Reverl",
      package: [licenses: ["Apache-2.0"]]
    ]
  end

  def application, do: []
end
