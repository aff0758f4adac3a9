-- Tables that are made from others, each with a definition or a date that differs from theirs.

insert into daily_sales
select cast(placed_at as date), sales_channel, count(*), sum(charged_amount)
from orders
group by all
order by all;

-- As the orders stood when the copy was taken: what came later had not happened yet.
insert into orders_backup
select
    order_id,
    customer_id,
    ship_address_id,
    placed_at,
    case when dispatched_at < timestamp '2025-10-01' then dispatched_at end,
    case when delivered_at < timestamp '2025-10-01' then delivered_at end,
    case
        when state = 'cancelled' and placed_at < timestamp '2025-09-29' then state
        when dispatched_at is null or dispatched_at >= timestamp '2025-10-01' then 'processing'
        when delivered_at is null or delivered_at >= timestamp '2025-10-01' then 'dispatched'
        else state
    end,
    sales_channel,
    voucher_code,
    goods_amount,
    discount_amount,
    shipping_fee,
    vat_amount,
    charged_amount
from orders
where placed_at < timestamp '2025-10-01'
order by order_id;
