// The first sale, with the types of openapi-typescript.
import createClient from "openapi-fetch";
import type { paths } from "./made/openapi-typescript-preview";
import { base, head, key, is } from "./sale";

const api = createClient<paths>({ baseUrl: base, headers: head });
const params = () => ({ header: { "Idempotency-Key": key() } });

const item = await api.POST("/preview/items", { params: params(), body: { itemNumber: "F-1", name: "Hammer", salesPrice: "12.50" } });
is("item", item.response.status, 201);
const customer = await api.POST("/preview/customers", { params: params(), body: { name: "Bolt Ltd", countryCode: "SE" } });
is("customer", customer.response.status, 201);
await api.POST("/preview/inventory/adjustments", {
  params: params(), body: { warehouseCode: "MAIN", locationCode: "A-01", itemNumber: "F-1", quantity: "10" },
});
const order = await api.POST("/preview/orders", {
  params: params(), body: { customerNumber: customer.data!.customerNumber, orderTypeCode: "WEB", lines: [{ itemNumber: "F-1", quantity: "3" }] },
});
is("total", order.data?.totalAmount, "37.50");
is("reserved", order.data?.lines[0]?.allocatedQuantity, "3");
const shipment = await api.POST("/preview/shipments", { params: params(), body: { orderNumbers: [order.data!.orderNumber] } });
is("shipment", shipment.response.status, 201);
const none = await api.GET("/preview/orders/{orderNumber}", { params: { path: { orderNumber: "none" } } });
is("no order", none.error?.code, "SalesOrder.NotFound");
