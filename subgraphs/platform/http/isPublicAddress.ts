import ipaddr from 'ipaddr.js';

/**
 * Whether an address is one of the public internet. Loopback, private, link-local (where clouds keep their metadata),
 * shared, multicast and reserved ones are not, nor are those that carry an IPv4 address inside an IPv6 one (6to4,
 * Teredo, NAT64): they lead to places that the outer address hides. An IPv4 address that is written as an IPv6 one
 * counts as what it is.
 */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}
