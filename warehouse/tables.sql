-- The tables, in the order in which their keys allow them to be filled.

create table customers (
    customer_id integer primary key,
    full_name varchar not null,
    email varchar,
    joined_on date not null,
    tier varchar not null,
    acquired_via varchar,
    marketing_opt_in boolean,
    is_internal boolean not null
);

create table addresses (
    address_id integer primary key,
    customer_id integer not null references customers (customer_id),
    kind varchar not null,
    city varchar not null,
    country_code varchar not null,
    is_default boolean not null
);

create table products (
    product_id integer primary key,
    sku varchar not null unique,
    product_name varchar not null,
    family varchar not null,
    list_price decimal(10, 2) not null,
    unit_cost decimal(10, 2),
    launched_on date,
    discontinued_on date
);

create table calendar (
    day date primary key,
    calendar_year integer not null,
    calendar_quarter integer not null,
    calendar_month integer not null,
    week_start date not null,
    fiscal_year integer not null,
    fiscal_quarter integer not null,
    is_weekend boolean not null,
    is_bank_holiday boolean not null
);

create table orders (
    order_id integer primary key,
    customer_id integer not null references customers (customer_id),
    ship_address_id integer not null references addresses (address_id),
    placed_at timestamp not null,
    dispatched_at timestamp,
    delivered_at timestamp,
    state varchar not null,
    sales_channel varchar not null,
    voucher_code varchar,
    goods_amount decimal(12, 2) not null,
    discount_amount decimal(12, 2),
    shipping_fee decimal(12, 2) not null,
    vat_amount decimal(12, 2) not null,
    charged_amount decimal(12, 2) not null
);

create table order_lines (
    order_id integer not null references orders (order_id),
    line_no integer not null,
    product_id integer not null references products (product_id),
    quantity integer not null,
    unit_price decimal(10, 2) not null,
    line_amount decimal(12, 2) not null,
    primary key (order_id, line_no)
);

create table refunds (
    refund_id integer primary key,
    order_id integer not null references orders (order_id),
    requested_at timestamp not null,
    paid_at timestamp,
    amount decimal(12, 2) not null,
    status varchar not null,
    reason varchar
);

create table web_sessions (
    session_id integer primary key,
    customer_id integer references customers (customer_id),
    order_id integer references orders (order_id),
    started_at timestamp not null,
    device varchar not null,
    source varchar not null,
    country_code varchar,
    pages_viewed integer not null,
    is_bot boolean not null,
    placed_order boolean not null
);

create table ad_spend (
    spend_day date not null references calendar (day),
    channel varchar not null,
    campaign varchar not null,
    impressions integer not null,
    clicks integer not null,
    cost decimal(10, 2),
    primary key (spend_day, channel, campaign)
);

create table daily_sales (
    sales_day date not null references calendar (day),
    sales_channel varchar not null,
    order_count integer not null,
    sales_amount decimal(14, 2) not null,
    primary key (sales_day, sales_channel)
);

create table orders_backup (
    order_id integer primary key,
    customer_id integer not null,
    ship_address_id integer not null,
    placed_at timestamp not null,
    dispatched_at timestamp,
    delivered_at timestamp,
    state varchar not null,
    sales_channel varchar not null,
    voucher_code varchar,
    goods_amount decimal(12, 2) not null,
    discount_amount decimal(12, 2),
    shipping_fee decimal(12, 2) not null,
    vat_amount decimal(12, 2) not null,
    charged_amount decimal(12, 2) not null
);
