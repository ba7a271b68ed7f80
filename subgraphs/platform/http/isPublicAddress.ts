import ipaddr from 'ipaddr.js';

/**
 * Returns whether an address is on the public internet. Excluded are loopback, private, link-local (cloud metadata),
 * shared, multicast and reserved addresses. IPv6 addresses that embed an IPv4 address (6to4, Teredo, NAT64) are
 * excluded as well, because they hide their destination. An IPv4-mapped address is treated as IPv4.
 */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}
