import ipaddr from 'ipaddr.js';

const longestText = 64;

/**
 * Returns a network in canonical form, as in `203.0.113.0/24`; otherwise null. It refuses octal and hexadecimal parts,
 * which programs interpret differently, host addresses instead of network addresses, and zones. It also refuses
 * IPv4-mapped IPv6 addresses, because the addresses of callers are compared in their IPv4 form.
 */
export function toNetwork(text: string): string | null {
  if (text.length > longestText || text.includes('%')) return null;
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(text)) {
    const [address, prefix] = ipaddr.IPv4.parseCIDR(text);
    const network = ipaddr.IPv4.networkAddressFromCIDR(text).toString();
    return address.toString() === network ? `${network}/${prefix}` : null;
  }
  if (!ipaddr.IPv6.isValidCIDR(text)) return null;
  const [address, prefix] = ipaddr.IPv6.parseCIDR(text);
  if (address.isIPv4MappedAddress()) return null;
  const network = ipaddr.IPv6.networkAddressFromCIDR(text).toString();
  return address.toString() === network ? `${network}/${prefix}` : null;
}
