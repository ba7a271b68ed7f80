import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { Billing, Meter, TokenUsage } from '../provider/AiProvider.ts';
import type { AiChoices } from '../settings/model.ts';
import type { Amount } from './model.ts';
import { type MonthCaps, reserve, settle } from './reserve.ts';

/** Micros a million tokens. */
type Prices = Pick<AiChoices, 'inputPriceMicros' | 'outputPriceMicros'>;

/** What a request has cost. */
export interface Usage extends TokenUsage {
  readonly costMicros: number;
  /** Whether some of it is an estimate. */
  readonly estimated: boolean;
}

/** Pays the attempts of one request from the month's budget, and adds up what they cost. */
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

  /** Of all attempts that have ended. */
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

/** What so many tokens come to, a part of a millionth as a whole one. */
export function amountOf(
  { promptTokens, completionTokens }: TokenUsage,
  { inputPriceMicros, outputPriceMicros }: Prices,
): Amount {
  const micros = (promptTokens * inputPriceMicros + completionTokens * outputPriceMicros) / 1e6;
  return { micros: Math.ceil(micros), tokens: promptTokens + completionTokens };
}
