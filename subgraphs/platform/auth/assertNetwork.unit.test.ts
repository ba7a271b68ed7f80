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
  ['no list', '203.0.113.7', [], true],
  ['an address of the network', '203.0.113.7', ['203.0.113.0/24'], true],
  ['an address beside it', '203.0.114.7', ['203.0.113.0/24'], false],
  ['one of several networks', '2001:db8::7', ['203.0.113.0/24', '2001:db8::/32'], true],
  ['a single address', '203.0.113.8', ['203.0.113.7/32'], false],
  ['IPv6 against IPv4', '2001:db8::7', ['0.0.0.0/0'], false],
  ['IPv4 against IPv6', '203.0.113.7', ['::/0'], false],
  ['IPv4 written as IPv6', '::ffff:203.0.113.7', ['203.0.113.0/24'], true],
  ['no address', 'unknown', ['0.0.0.0/0', '::/0'], false],
  ['no text', '', ['0.0.0.0/0'], false],
])('%s: %s within %j is %s', (_, address, cidrs, expected) => {
  expect(mayCall(address, ...cidrs)).toBe(expected);
});
