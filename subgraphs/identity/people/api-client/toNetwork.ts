import ipaddr from 'ipaddr.js';

const longestText = 64;

/**
 * A network in its canonical form, as `203.0.113.0/24`. Null for everything else: octal and hexadecimal parts, which
 * programs read differently; an address within the network in the place of the network's own; zones; IPv4 in IPv6
 * clothes, which no caller ever has, because addresses are compared as what they are.
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
