import ipaddr from 'ipaddr.js';
import { AppError } from '../errors/AppError.ts';

/**
 * Holds an API client to its networks. An IPv4 address that arrived in its IPv6 form counts as what it is; a text that
 * is no address lies in no network.
 *
 * @param allowedCidrs as `203.0.113.0/24` or `2001:db8::/32`; none of them: everywhere
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
