import ipaddr from 'ipaddr.js';

/**
 * Network of an address, /24 for IPv4 and /48 for IPv6: enough to recognise a place, too little to find a person.
 * Empty for a text that is no address.
 */
export function toIpPrefix(address: string): string {
  if (!ipaddr.isValid(address)) return '';
  const parsed = ipaddr.process(address);
  const kept = parsed.kind() === 'ipv4' ? 24 : 48;
  const bytes = parsed.toByteArray().map((byte, index) => (index * 8 < kept ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/${kept}`;
}
