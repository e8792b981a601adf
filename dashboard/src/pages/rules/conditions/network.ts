/** Addresses in these networks stand for IPv4 addresses, which a rule has to name as such. */
const translations = ['::ffff:0:0', '64:ff9b::'].map((address) => bitsOfIpv6(address)!.slice(0, 96));

/** Whether the service accepts a text as an IP address or a network: also not with bits after its prefix. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = bitsOf(address);
  if (bits === undefined || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return (
    /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits.length && !bits.slice(Number(prefix)).includes('1')
  );
}

/** Whether a text is a complete IP address. */
export function isAddress(text: string): boolean {
  return bitsOf(text) !== undefined;
}

function bitsOf(address: string): string | undefined {
  const bits = address.includes(':') ? bitsOfIpv6(address) : bitsOfIpv4(address);
  return translations.some((translation) => bits?.length === 128 && bits.startsWith(translation))
    ? undefined
    : bits;
}

function bitsOfIpv4(address: string): string | undefined {
  const parts = address.split('.');
  const isByte = (part: string) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255;
  return parts.length === 4 && parts.every(isByte)
    ? parts.map((part) => toBits(Number(part), 8)).join('')
    : undefined;
}

function bitsOfIpv6(address: string): string | undefined {
  if (!/^[\da-f:.]+$/i.test(address)) return undefined;
  // The browser knows all forms of an address, and writes it with hexadecimal numbers and at most one `::`.
  const host = URL.parse(`http://[${address}]`)?.hostname.slice(1, -1);
  if (host === undefined) return undefined;
  const [first = [], last = []] = host
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last].map((group) => toBits(Number.parseInt(group, 16), 16)).join('');
}

function toBits(number: number, length: number): string {
  return number.toString(2).padStart(length, '0');
}
