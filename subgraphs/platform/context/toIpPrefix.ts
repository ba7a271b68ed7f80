import ipaddr from 'ipaddr.js';

/**
 * Returns the network of an address, /24 for IPv4 and /48 for IPv6. It suffices to recognize a location, but not to
 * identify a person. Empty for an invalid address.
 */
export function toIpPrefix(address: string): string {
  if (!ipaddr.isValid(address)) return '';
  const parsed = ipaddr.process(address);
  const kept = parsed.kind() === 'ipv4' ? 24 : 48;
  const bytes = parsed.toByteArray().map((byte, index) => (index * 8 < kept ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/${kept}`;
}
