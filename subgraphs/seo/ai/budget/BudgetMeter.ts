import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { Billing, Meter, TokenUsage } from '../provider/AiProvider.ts';
import type { AiChoices } from '../settings/model.ts';
import type { Amount } from './model.ts';
import { type MonthCaps, reserve, settle } from './reserve.ts';

/** Prices in millionths of the currency for a million tokens. */
type Prices = Pick<AiChoices, 'inputPriceMicros' | 'outputPriceMicros'>;

/** Cost of a request. */
export interface Usage extends TokenUsage {
  readonly costMicros: number;
  /** Whether a part of it is estimated. */
  readonly estimated: boolean;
}

/** Charges the attempts of a request to the budget of the month, and sums up their cost. */
export class BudgetMeter implements Meter {
  readonly #context: RequestContext;
  readonly #settings: MonthCaps & Prices;
  readonly #request: { readonly requestId: string; readonly kinds: readonly string[] };
  readonly #estimate: TokenUsage;
  #usage: Usage = { promptTokens: 0, completionTokens: 0, costMicros: 0, estimated: false };

  /** @param estimate upper bound of one attempt */
  constructor(
    context: RequestContext,
    settings: MonthCaps & Prices,
    request: { requestId: string; kinds: readonly string[] },
    estimate: TokenUsage,
  ) {
    this.#context = context;
    this.#settings = settings;
    this.#request = request;
    this.#estimate = estimate;
  }

  /** Returns the usage of all finished attempts. */
  get usage(): Usage {
    return this.#usage;
  }

  async begin(): Promise<{ settle(billing: Billing): Promise<void> }> {
    const reserved = await reserve(this.#context, this.#settings, {
      ...this.#request,
      ...amountOf(this.#estimate, this.#settings),
    });
    return {
      settle: async (billing) => {
        if (billing === 'none') {
          await settle(this.#context, reserved, { micros: 0, tokens: 0, outcome: 'free' });
          return;
        }
        const isKnown = billing !== 'unknown';
        const tokens = isKnown ? billing : this.#estimate;
        const amount = amountOf(tokens, this.#settings);
        this.#add(tokens, amount.micros, !isKnown);
        await settle(this.#context, reserved, { ...amount, outcome: isKnown ? 'reported' : 'estimated' });
      },
    };
  }

  #add({ promptTokens, completionTokens }: TokenUsage, costMicros: number, estimated: boolean): void {
    this.#usage = {
      promptTokens: this.#usage.promptTokens + promptTokens,
      completionTokens: this.#usage.completionTokens + completionTokens,
      costMicros: this.#usage.costMicros + costMicros,
      estimated: this.#usage.estimated || estimated,
    };
  }
}

/** Returns the cost of a number of tokens, rounded up to a millionth of the currency. */
export function amountOf(
  { promptTokens, completionTokens }: TokenUsage,
  { inputPriceMicros, outputPriceMicros }: Prices,
): Amount {
  const micros = (promptTokens * inputPriceMicros + completionTokens * outputPriceMicros) / 1e6;
  return { micros: Math.ceil(micros), tokens: promptTokens + completionTokens };
}
