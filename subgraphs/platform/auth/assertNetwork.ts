import ipaddr from 'ipaddr.js';
import { AppError } from '../errors/AppError.ts';

/**
 * Checks that an API client calls from its networks. An IPv4-mapped IPv6 address is treated as IPv4; an invalid address
 * is in no network.
 *
 * @param allowedCidrs as `203.0.113.0/24` or `2001:db8::/32`; empty for any network
 * @throws AppError `origin_not_allowed`
 */
export function assertNetwork(
  allowedCidrs: readonly string[],
  { clientAddress }: { readonly clientAddress: string },
): void {
  if (allowedCidrs.length === 0 || isWithin(allowedCidrs, clientAddress)) return;
  throw new AppError('origin_not_allowed', 'This API client is not allowed to call from this network.');
}

function isWithin(cidrs: readonly string[], address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return cidrs.some((cidr) => {
    const [network, prefix] = ipaddr.parseCIDR(cidr);
    return network.kind() === parsed.kind() && parsed.match(network, prefix);
  });
}
