import { missing, Refused, type StripeCall, type StripeObject, type StripeStore } from './openStripeStore.ts';
import { faultOf } from './stripeMoney.ts';

/** Connected accounts, transfers to them, and payouts from them. */
export interface StripeConnect {
  /** Answers a call of these resources. Null for other resources. */
  act(call: StripeCall): object | null;
}

/** @param store objects of the account */
export function openStripeConnect({ make, find, change, all, balance, now }: StripeStore): StripeConnect {
  let links = 0;
  const seconds = () => Math.floor(now() / 1000);

  function accounts({ method, path: [id = ''], params }: StripeCall): object {
    if (method === 'GET' && id === '') {
      const since = Number(params.created?.gte ?? 0);
      return list(all('account').filter(({ created }) => created >= since));
    }
    if (method === 'GET') return find(id, 'account');
    return make('acct', 'account', {
      ...params,
      payouts_enabled: false,
      details_submitted: false,
      capabilities: { transfers: 'inactive' },
      requirements: { currently_due: ['external_account'] },
    });
  }

  function transfers({ method, path: [id = '', part], params }: StripeCall): object {
    if (method === 'GET' && id === '')
      return list(all('transfer').filter((one) => one.transfer_group === params.transfer_group));
    if (method === 'GET') return find(id, 'transfer');
    if (part === 'reversals') return reverse(find(id, 'transfer'), Number(params.amount));
    const { destination, currency } = params;
    const amount = Number(params.amount);
    assertAmount(amount, currency);
    find(destination, 'account');
    assertCovered(balance(null, currency), amount);
    return make('tr', 'transfer', { ...params, amount, amount_reversed: 0, reversed: false });
  }

  function reverse(transfer: StripeObject, stated: number): StripeObject {
    const left = transfer.amount - transfer.amount_reversed;
    const amount = Number.isNaN(stated) ? left : stated;
    if (left === 0 || amount > left)
      throw new Refused(400, { type: 'invalid_request_error', message: 'Nothing is left to be reversed.' });
    assertCovered(balance(transfer.destination, transfer.currency), amount);
    const amount_reversed = transfer.amount_reversed + amount;
    change(transfer.id, { amount_reversed, reversed: amount === left });
    // The reversal reduces the amount of the transfer, so it changes no balance itself.
    return make('trr', 'transfer_reversal', { transfer: transfer.id, amount, currency: transfer.currency });
  }

  function payouts({ method, path: [id = ''], params, account }: StripeCall): object {
    // The platform has an account of its own.
    if (account && !all('account').some((one) => one.id === account))
      throw new Refused(403, {
        type: 'invalid_request_error',
        code: 'account_invalid',
        message: account,
      });
    const own = () => all('payout').filter((one) => one.account === account);
    if (method === 'GET' && id === '') {
      const since = Number(params.created?.gte ?? 0);
      return list(own().filter(({ created }) => created >= since));
    }
    if (method === 'GET') {
      const payout = find(id, 'payout');
      // Payouts of other accounts are not visible.
      if (payout.account !== account) throw missing(id);
      return payout;
    }
    const amount = Number(params.amount);
    assertAmount(amount, params.currency);
    assertCovered(balance(account, params.currency), amount);
    const state = { status: 'in_transit', arrival_date: seconds(), failure_code: null };
    return make('po', 'payout', { ...params, ...state, amount, account });
  }

  function assertAmount(amount: number, currency: string): void {
    const fault = faultOf(amount, currency, 'payout');
    if (fault) throw new Refused(400, { type: 'invalid_request_error', message: fault });
  }

  return {
    act(call) {
      const [resource, ...path] = call.path;
      if (resource === 'accounts') return accounts({ ...call, path });
      if (resource === 'transfers') return transfers({ ...call, path });
      if (resource === 'payouts') return payouts({ ...call, path });
      if (resource === 'account_links')
        return {
          object: 'account_link',
          url: `https://connect.example/${(links += 1)}`,
          expires_at: seconds() + 600,
        };
      return null;
    },
  };
}

function assertCovered(available: number, amount: number): void {
  if (available >= amount) return;
  const message = `Insufficient funds: ${available} of ${amount}.`;
  throw new Refused(400, { type: 'invalid_request_error', code: 'balance_insufficient', message });
}

/** In descending order of creation, as in Stripe's lists. */
function list(data: readonly StripeObject[]): object {
  return { object: 'list', data: data.toReversed(), has_more: false };
}
