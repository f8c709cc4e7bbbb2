package app

import (
	_ "embed"
	"sync"

	"github.com/go-json-experiment/json"

	"kontor/internal/front/rest"
)

// contact is who answers for the APIs: each installation has an operator of its own.
const contact = "The operator of this installation"

//go:embed examples.json
var exampleText []byte

// examplesOfStories are the answers that the stories were given: go test ./internal/app -run TestStories/on/sqlite
// -examples writes them.
var examplesOfStories = sync.OnceValue(func() (all rest.Examples) {
	if err := json.Unmarshal(exampleText, &all); err != nil {
		panic(err) // it is part of the program
	}
	return all
})

// fieldWords are what the descriptions say of fields and parameters that mean the same wherever they stand.
var fieldWords = map[string]string{
	"addressId": "Id of the address.", "altText": "What the picture shows, for who does not see it.",
	"assetId": "Id of the file.", "attributeCode": "Code of the attribute.", "batchNumber": "Number of the batch.",
	"brandCode": "Code of the brand.", "caption": "Text below the picture.", "categoryCode": "Code of the category.",
	"channelCode": "Code of the sales channel.", "city": "Town of the address.",
	"code": "Code, unique among its kind; upper and lower case are the same.", "contactId": "Id of the contact.",
	"contactPerson": "Who is asked for at the address.", "countNumber": "Number of the count.",
	"countryCode":  "Country, ISO 3166-1 alpha-2.",
	"createdDate":  "When the record was made.",
	"currencyCode": "Currency, ISO 4217.", "customerNumber": "Number of the customer.",
	"customerName": "Name of the customer.", "customerReference": "The customer's own mark of the order.",
	"deliveryTermCode": "Code of the delivery term.", "description": "Description, for people.",
	"discountPercent": "Discount in percent.", "email": "E-mail address.", "folder": "Folder of the media library.",
	"hasNextPage": "Whether a page follows.", "hasPreviousPage": "Whether a page goes before.",
	"id": "Id of the record.", "imageUrl": "Address of the picture.", "invoiceNumber": "Number of the invoice.",
	"isActive": "Whether it is in use.", "isPublished": "Whether it is published.",
	"itemGroupCode": "Code of the item group.", "itemId": "Id of the item.", "itemName": "Name of the item.",
	"itemNumber": "Number of the item.", "items": "The rows of this page.", "kind": "Kind of the record.",
	"languageCode": "Language, ISO 639-1.", "lineId": "Id of the line.", "lineNumber": "Number of the line, from 1.",
	"lines": "The lines, in their order.", "lineTotal": "Amount of the line.", "links": "Addresses of the record.",
	"locationCode": "Code of the location in the warehouse.",
	"modifiedDate": "When the record was last changed; null if never.", "name": "Name, for people.",
	"notes": "Notes of one's own.", "orderDate": "Day of the order.", "orderNumber": "Number of the order.",
	"orderLineNumber": "Number of the order's line.", "organizationNumber": "Registration number of the company.",
	"packageNumber": "Number of the package within its shipment.", "page": "Number of this page, from 1.",
	"pageSize": "Rows of a page.", "paymentStatus": "How far it is paid.",
	"paymentTermCode": "Code of the payment term.", "phone": "Telephone number.", "postalCode": "Postal code.",
	"priceTo": "Greatest price.", "q": "What is searched for.",
	"quantity": "How much, in the unit named beside it or the item's own.", "referenceId": "Id of what caused it.",
	"quoteNumber": "Number of the quote.", "referenceType": "Kind of what caused it.",
	"returnNumber": "Number of the return.", "supplierNumber": "Number of the supplier.",
	"supplierName": "Name of the supplier.", "supplierReference": "The supplier's reference.",
	"expectedDeliveryDate": "Day on which it is wanted.", "receiptDate": "When the goods came in.",
	"receiptNumber": "Number of the receipt.", "ticketNumber": "Number of the ticket.",
	"queueCode": "Code of the ticket queue.", "priority": "How soon it wants its answer.",
	"serialNumber": "Serial number.", "shipmentNumber": "Number of the shipment.",
	"shippingMethodCode": "Code of the shipping method.", "configurationNumber": "Number of the configuration.",
	"slug": "Name in the store's addresses.", "sort": "Order of the rows.",
	"sortOrder": "Place among its kind, the smallest first.", "status": "How far it has come.",
	"street1": "First line of the street.", "street2": "Second line of the street.",
	"targetItemNumber": "Number of the item it leads to.", "taxCode": "Code of the tax.",
	"taxPercent": "Tax in percent.", "title": "Title, for people.", "totalCount": "Rows on all pages.",
	"totalPages": "How many pages there are.", "transactionId": "Id of the stock transaction.",
	"transactionType": "Kind of the stock transaction.", "type": "Kind of the record.", "unit": "Unit of the quantity.",
	"unitCode": "Code of the unit.", "unitPrice": "Price of one unit.",
	"vatNumber": "Registration number for value added tax.", "warehouseCode": "Code of the warehouse.",
	"weightKg": "Weight in kilograms.",
}
