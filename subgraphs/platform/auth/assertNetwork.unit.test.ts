import { AppError } from '../errors/AppError.ts';
import { assertNetwork } from './assertNetwork.ts';

const mayCall = (clientAddress: string, ...cidrs: string[]): boolean => {
  try {
    assertNetwork(cidrs, { clientAddress });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'origin_not_allowed') return false;
    throw error;
  }
};

test.each([
  ['an empty list of networks accepts every address', '203.0.113.7', [], true],
  ['an address of the network is accepted', '203.0.113.7', ['203.0.113.0/24'], true],
  ['an address outside of the network is refused', '203.0.114.7', ['203.0.113.0/24'], false],
  [
    'an address of one of several networks is accepted',
    '2001:db8::7',
    ['203.0.113.0/24', '2001:db8::/32'],
    true,
  ],
  [
    'another address than that of a single-address network is refused',
    '203.0.113.8',
    ['203.0.113.7/32'],
    false,
  ],
  ['an IPv6 address is refused by an IPv4 network', '2001:db8::7', ['0.0.0.0/0'], false],
  ['an IPv4 address is refused by an IPv6 network', '203.0.113.7', ['::/0'], false],
  ['an IPv4 address that is written as IPv6 is accepted', '::ffff:203.0.113.7', ['203.0.113.0/24'], true],
  ['an unknown address is refused', 'unknown', ['0.0.0.0/0', '::/0'], false],
  ['an empty address is refused', '', ['0.0.0.0/0'], false],
])('%s: %s in %j', (_, address, cidrs, expected) => {
  expect(mayCall(address, ...cidrs)).toBe(expected);
});
