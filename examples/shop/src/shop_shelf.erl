%% A shelf holds things; whoever takes one makes the ledger write it down.
-module(shop_shelf).
-behaviour(gen_server).
-export([start_link/1, name/1, put/3, take/2, look/1, swap/3]).
-export([init/1, handle_call/3, handle_cast/2]).
-include("shop.hrl").

name(Id) -> list_to_atom("shelf_" ++ integer_to_list(Id)).
start_link(Id) -> gen_server:start_link({local, name(Id)}, ?MODULE, Id, []).

put(Id, Sku, N) -> gen_server:cast(name(Id), {put, Sku, N}).
take(Id, Sku) -> gen_server:call(name(Id), {take, Sku}).
look(Id) -> gen_server:call(name(Id), look).
swap(Id, Other, Sku) -> gen_server:call(name(Id), {swap, Other, Sku}, infinity).

init(Id) -> {ok, #shelf{id = Id}}.

handle_call({take, Sku}, {Client, _}, Shelf = #shelf{items = Items}) ->
    Item = #item{stock = N} = maps:get(Sku, Items),
    shop_ledger:sold(Shelf#shelf.id, Sku, Item#item.price),
    New = Item#item{stock = N - 1},
    Clients = [Client | Shelf#shelf.clients],
    {reply, {ok, N - 1}, Shelf#shelf{items = Items#{Sku := New}, clients = Clients}};
handle_call({swap, Other, Sku}, _, Shelf) ->
    %% Two shelves that do this with each other wait for ever.
    Theirs = gen_server:call(name(Other), {give, Sku}, infinity),
    {reply, Theirs, Shelf};
handle_call({give, Sku}, _, Shelf = #shelf{items = Items}) ->
    {reply, maps:get(Sku, Items), Shelf};
handle_call(look, _, Shelf) ->
    {reply, Shelf#shelf.items, Shelf}.

handle_cast({put, Sku, N}, Shelf = #shelf{items = Items, log = Log}) ->
    Old = maps:get(Sku, Items, #item{sku = Sku}),
    New = Old#item{stock = Old#item.stock + N},
    {noreply, Shelf#shelf{items = Items#{Sku => New}, log = <<Log/binary, "put;">>}}.
