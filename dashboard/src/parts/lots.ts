/** As many as the service takes in one request. */
export const lotSize = 500;

/** Cuts a list into parts that the service takes at once. */
export function inLots<Item>(items: readonly Item[], size = lotSize): Item[][] {
  const lots: Item[][] = [];
  for (let at = 0; at < items.length; at += size) lots.push(items.slice(at, at + size));
  return lots;
}
