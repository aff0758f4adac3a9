-- What an analyst can read in the catalog. Facts of the data; no business metric is defined here.

comment on table customers is 'One row per account, staff check accounts included';
comment on column customers.email is 'NULL where the account was opened by telephone';
comment on column customers.joined_on is 'Day on which the account was opened';
comment on column customers.tier is 'standard, plus (paying members) or trade (cafes and shops)';
comment on column customers.acquired_via is 'How the customer first found us; NULL where not known';
comment on column customers.marketing_opt_in is 'NULL where never asked';
comment on column customers.is_internal is 'True for check accounts of our own staff';

comment on table addresses is 'Delivery addresses; a customer has one or several';
comment on column addresses.kind is 'home, work or gift (somebody else''s)';
comment on column addresses.country_code is 'GB, DE, IE, FR or NL';
comment on column addresses.is_default is 'True for exactly one address of each customer';

comment on table products is 'The range, with what is discontinued or only announced';
comment on column products.family is 'Loose tea, Coffee, Brewing gear, Drinkware or Gift sets';
comment on column products.list_price is 'GBP, without VAT';
comment on column products.unit_cost is 'GBP, without VAT; NULL where purchasing has no figure yet';
comment on column products.launched_on is 'NULL where announced but not on sale yet';
comment on column products.discontinued_on is 'Last day on sale; NULL while on sale';

comment on table calendar is 'One row per day, July 2022 to June 2026';
comment on column calendar.week_start is 'The Monday of the week';
comment on column calendar.fiscal_year is 'July to June, named by the year in which it ends';
comment on column calendar.fiscal_quarter is '1 is July to September';
comment on column calendar.is_bank_holiday is '1 January, 25 and 26 December only';

comment on table orders is 'One row per order, in every state and of every account';
comment on column orders.ship_address_id is 'Where the order goes';
comment on column orders.placed_at is 'UTC, with time of day';
comment on column orders.dispatched_at is 'UTC; NULL until the parcel has left the depot';
comment on column orders.delivered_at is 'UTC; NULL until the carrier reports the delivery';
comment on column orders.state is 'processing, dispatched, delivered or cancelled';
comment on column orders.sales_channel is 'web, app, phone (closed September 2025) or wholesale (since April 2024)';
comment on column orders.voucher_code is 'NULL where no voucher was used';
comment on column orders.goods_amount is 'GBP, the sum of the lines, before discount, without VAT';
comment on column orders.discount_amount is 'GBP, without VAT; NULL where no voucher was used';
comment on column orders.shipping_fee is 'GBP, without VAT';
comment on column orders.vat_amount is 'GBP, on goods less discount plus shipping';
comment on column orders.charged_amount is 'GBP, goods less discount plus shipping plus VAT';

comment on table order_lines is 'One row per product of an order';
comment on column order_lines.unit_price is 'GBP, as sold, before discount, without VAT';
comment on column order_lines.line_amount is 'quantity times unit_price';

comment on table refunds is 'Refund requests; an order can have several';
comment on column refunds.requested_at is 'UTC';
comment on column refunds.paid_at is 'UTC; NULL where the request is pending or was rejected';
comment on column refunds.amount is 'GBP, without VAT, asked for';
comment on column refunds.status is 'paid, pending or rejected';
comment on column refunds.reason is 'damaged, late, changed mind or wrong item; NULL where not given';

comment on table web_sessions is 'Visits to site and app since January 2024, of those who agreed to be counted';
comment on column web_sessions.customer_id is 'NULL where the visitor was not signed in';
comment on column web_sessions.order_id is 'The order that the visit ended in, if any';
comment on column web_sessions.started_at is 'UTC';
comment on column web_sessions.country_code is 'NULL where the address told nothing';
comment on column web_sessions.is_bot is 'True for crawlers and other robots';
comment on column web_sessions.placed_order is 'True where the visit ended in an order';

comment on table ad_spend is 'Advertising by day, channel and campaign';
comment on column ad_spend.cost is 'GBP, without VAT; NULL where no invoice came';

comment on table daily_sales is 'Feed of the till screen: everything charged by day and channel';
comment on column daily_sales.order_count is 'Orders of every state and account';
comment on column daily_sales.sales_amount is 'GBP charged, with VAT and shipping';

comment on table orders_backup is 'Copy of orders from 1 October 2025, before the checkout was moved';
