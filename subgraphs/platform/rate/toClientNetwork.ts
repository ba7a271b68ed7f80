import ipaddr from 'ipaddr.js';

/**
 * What counts as one client by its address: an IPv4 address, or a /64 of IPv6, of which one connection holds all
 * addresses. An IPv4 address written as IPv6 is the same client.
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
