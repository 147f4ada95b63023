defmodule ShopTest do
  use ExUnit.Case

  test "what is scanned is in the total" do
    assert Shop.main() == 6
  end

  test "the till of the application" do
    before = Shop.total(:till)
    :ok = Shop.scan(:till, %Shop.Article{name: "pear", price: 5})
    assert Shop.total(:till) == before + 5
  end
end
