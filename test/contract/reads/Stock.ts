import { collection } from '../../authorization/world/collection.ts';
import { Refusal } from '../../support/Refusal.ts';
import type { Caller } from '../../support/seed.ts';

/** Records of all lists. Each call of `grow` adds one entry to every list. */
export interface Stock {
  /** Callers by name. */
  readonly callers: Readonly<Record<string, Caller>>;
  grow(): Promise<void>;
}

/** A list, with its caller and its arguments. */
export interface Row<S extends Stock> {
  /** Root field, or the path of the member with the list, as in `me.consents`. */
  readonly list: string;
  readonly as: keyof S['callers'] & string;
  /** Arguments besides the size of the page. */
  readonly arguments?: (stock: S) => string;
  /** Omitted members, as in `SeoAuditJob.items`, with the reason. */
  readonly without?: Readonly<Record<string, string>>;
  /** Origin of its entries, if they do not grow with records. */
  readonly entriesOf?: string;
  /** Collections whose records the database sorts, with the reason why they are few. */
  readonly sorted?: Readonly<Record<string, string>>;
}

/** Returns the answer of an operation that a stock needs. */
export async function must<Answer>(asked: Promise<Answer>): Promise<Answer> {
  const answer = await asked;
  if (answer instanceof Refusal) throw new Error(answer.describe());
  return answer;
}

/** Stores a copy of a record with other members, including its id. */
export async function copy(
  name: string,
  id: string,
  changes: { _id: string; [member: string]: unknown },
): Promise<void> {
  const found = await collection(name).findOne({ _id: id });
  if (!found) throw new Error(`${name} has no record ${id}.`);
  const { outbox: _, ...members } = found;
  await collection(name).insertOne({ ...members, ...changes });
}
