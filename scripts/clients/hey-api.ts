// The first sale, with the client of hey-api.
import { client } from "./made/hey-api-preview/client.gen";
import { createInventoryAdjustment, createCustomer, createItem, createOrder, createShipment, getOrder } from "./made/hey-api-preview";
import { base, head, key, is } from "./sale";

client.setConfig({ baseUrl: base, headers: head });
const headers = () => ({ "Idempotency-Key": key() });

const item = await createItem({ headers: headers(), body: { itemNumber: "H-1", name: "Hammer", salesPrice: "12.50" } });
is("item", item.response?.status, 201);
const customer = await createCustomer({ headers: headers(), body: { name: "Bolt Ltd", countryCode: "SE" } });
is("customer", customer.response?.status, 201);
await createInventoryAdjustment({ headers: headers(), body: { warehouseCode: "MAIN", locationCode: "A-01", itemNumber: "H-1", quantity: "10" } });
const order = await createOrder({
  headers: headers(), body: { customerNumber: customer.data!.customerNumber, orderTypeCode: "WEB", lines: [{ itemNumber: "H-1", quantity: "3" }] },
});
is("total", order.data?.totalAmount, "37.50");
const shipment = await createShipment({ headers: headers(), body: { orderNumbers: [order.data!.orderNumber] } });
is("shipment", shipment.response?.status, 201);
const none = await getOrder({ path: { orderNumber: "none" } });
is("no order", none.error?.code, "SalesOrder.NotFound");
