import { newId } from '../../../platform/ids/newId.ts';
import { amountsOf, dealerAccount, readAccount } from './accounts.ts';

const [dealerId, other] = [newId('dealer'), newId('dealer')];
const line = (account: string, amount: number) => ({ account, amount, currency: 'EUR' });

test.each([
  'psp_clearing',
  'psp_connected',
  'bank',
  'unreturned',
  'fees',
  'fee_tax',
  'provider_fees',
  'losses',
])('%s is an account of the platform', (name) => {
  expect(readAccount(name)).toEqual({ holder: 'house', name });
});

test.each(['pending', 'available', 'held', 'in_payout'] as const)('a dealer has the account %s', (name) => {
  expect(readAccount(dealerAccount(dealerId, name))).toEqual({ holder: 'dealer', dealerId, name });
});

test.each([
  '',
  'cash',
  'dealer',
  `dealer:${dealerId}`,
  `dealer:${dealerId}:fees`,
  `dealer:${dealerId}:available:more`,
  `dealer:${newId('user')}:available`,
  'dealer::available',
  `house:${dealerId}:available`,
])('"%s" is no account', (text) => {
  expect(readAccount(text)).toBeNull();
});

test('only lines of the dealer count for its amounts', () => {
  const postings = [
    line('fees', 1),
    line('nowhere', 2),
    line(dealerAccount(other, 'available'), 4),
    line(dealerAccount(dealerId, 'available'), 8),
    line(dealerAccount(dealerId, 'available'), -3),
    line(dealerAccount(dealerId, 'held'), 16),
  ];
  expect(amountsOf(postings, dealerId)).toEqual({ pending: 0, available: 5, held: 16, in_payout: 0 });
});
