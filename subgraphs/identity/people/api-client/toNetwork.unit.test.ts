import { toNetwork } from './toNetwork.ts';

test.each([
  ['203.0.113.0/24', '203.0.113.0/24'],
  ['203.0.113.7/32', '203.0.113.7/32'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['10.0.0.0/08', '10.0.0.0/8'],
  ['2001:DB8:0:0::/32', '2001:db8::/32'],
  ['2001:db8::1/128', '2001:db8::1/128'],
])('toNetwork returns the network of %s as %s', (text, network) => {
  expect(toNetwork(text)).toBe(network);
});

test.each([
  ['a single address', '203.0.113.7'],
  ['an address with bits after its prefix', '203.0.113.7/24'],
  ['an IPv6 address with bits after its prefix', '2001:db8::1/32'],
  ['octal parts', '010.0.0.0/8'],
  ['hexadecimal parts', '0x0a.0.0.0/8'],
  ['too few parts', '10.0/8'],
  ['a prefix that is too long', '10.0.0.0/33'],
  ['no prefix', '10.0.0.0/'],
  ['a zone', 'fe80::%eth0/64'],
  ['an IPv4-mapped IPv6 network', '::ffff:203.0.113.0/120'],
  ['spaces', ' 10.0.0.0/8'],
  ['a line break', '10.0.0.0/8\n'],
  ['an empty text', ''],
  ['a name', 'example.com/8'],
  ['a text of 100,000 characters', `${'1'.repeat(100_000)}/8`],
])('toNetwork refuses %s', (_, text) => {
  expect(toNetwork(text)).toBeNull();
});
