import { toIpPrefix } from '../../../platform/context/toIpPrefix.ts';

test.each([
  ['192.0.2.77', '192.0.2.0/24'],
  ['::ffff:192.0.2.77', '192.0.2.0/24'],
  ['2001:db8:1:2:3::4', '2001:db8:1::/48'],
  ['nonsense', ''],
])('the network of the address %s is %j', (address, network) => {
  expect(toIpPrefix(address)).toBe(network);
});
