defmodule Shop.Article do
  defstruct name: "", price: 0
end

defmodule Shop do
  # A till: articles are scanned by several cashiers.
  use GenServer

  alias Shop.Article

  def start_link(name), do: GenServer.start_link(__MODULE__, %{}, name: name)

  def scan(till, %Article{} = article), do: GenServer.call(till, {:scan, article})

  def total(till), do: GenServer.call(till, :total)

  @impl true
  def init(state), do: {:ok, state}

  @impl true
  def handle_call({:scan, article}, _from, state) do
    count = Map.get(state, article.name, {0, 0})
    {n, sum} = count
    sum = sum + article.price
    state = Map.put(state, article.name, {n + 1, sum})
    {:reply, :ok, state}
  end

  def handle_call(:total, _from, state) do
    {:reply, state |> Map.values() |> Enum.map(&elem(&1, 1)) |> Enum.sum(), state}
  end

  def main do
    {:ok, till} = start_link(:corner)
    apple = %Article{name: "apple", price: 3}
    tasks = for _ <- 1..2, do: Task.async(fn -> scan(till, apple) end)
    Enum.each(tasks, &Task.await/1)
    total(till)
  end
end

defmodule Shop.Application do
  use Application

  @impl true
  def start(_type, _args) do
    Supervisor.start_link([%{id: :till, start: {Shop, :start_link, [:till]}}],
      strategy: :one_for_one
    )
  end
end
