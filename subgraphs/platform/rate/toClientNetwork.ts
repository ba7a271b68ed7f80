import ipaddr from 'ipaddr.js';

/**
 * Returns what counts as one client by its address: an IPv4 address, or a /64 of IPv6, because one connection usually
 * has a whole /64. An IPv4-mapped IPv6 address is the same client.
 */
export function toClientNetwork(address: string): string {
  if (!address.includes(':')) return address;
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
