// The first sale, with the client of orval.
import { createInventoryAdjustment, createCustomer, createItem, createOrder, createShipment, getOrder } from "./made/orval-preview";
import { head, key, is } from "./sale";

const options = () => ({ headers: { ...head, "Idempotency-Key": key() } });

const item = await createItem({ itemNumber: "O-1", name: "Hammer", salesPrice: "12.50" }, options());
is("item", item.status, 201);
const customer = await createCustomer({ name: "Bolt Ltd", countryCode: "SE" }, options());
if (customer.status !== 201) throw new Error("customer");
await createInventoryAdjustment({ warehouseCode: "MAIN", locationCode: "A-01", itemNumber: "O-1", quantity: "10" }, options());
const order = await createOrder(
  { customerNumber: customer.data.customerNumber, orderTypeCode: "WEB", lines: [{ itemNumber: "O-1", quantity: "3" }] }, options());
if (order.status !== 201) throw new Error("order");
is("total", order.data.totalAmount, "37.50");
const shipment = await createShipment({ orderNumbers: [order.data.orderNumber] }, options());
is("shipment", shipment.status, 201);
const none = await getOrder("none", options());
is("no order", none.status, 404);
