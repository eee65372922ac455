/** For siblings alone: what ships words and reads what was shipped, for programs and threads that have no index. */
export { readShipment, SHIPMENT_TYPE, shipmentFormat, writeShipment } from './ship/posting-shipment.ts'
export type { ReadShipment, ShipmentFormat, ShipmentLimits } from './ship/posting-shipment.ts'
export { DocumentShipper, shipDocument } from './ship/ship-document.ts'
export { shippedFromRecord, shippedLimits, shippedText } from './ship/shipped-document.ts'
