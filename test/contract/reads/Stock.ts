import { collection } from '../../authorization/world/collection.ts';
import { Refusal } from '../../support/Refusal.ts';
import type { Caller } from '../../support/seed.ts';

/** Records that grow: one more in every list each time. */
export interface Stock {
  /** Who reads them, by name. */
  readonly callers: Readonly<Record<string, Caller>>;
  grow(): Promise<void>;
}

/** A list that people read, and who reads it how. */
export interface Row<S extends Stock> {
  /** Root field; with the member that holds the list where it is not the field itself, as in `me.consents`. */
  readonly list: string;
  readonly as: keyof S['callers'] & string;
  /** Arguments besides the size of the page. */
  readonly arguments?: (stock: S) => string;
  /** Members that are left out, as in `SeoAuditJob.items`, and why. */
  readonly without?: Readonly<Record<string, string>>;
  /** What its entries are of, where records do not add to them. */
  readonly entriesOf?: string;
  /** Collections whose records the database sorts, and why they are few. */
  readonly sorted?: Readonly<Record<string, string>>;
}

/** The answer of an operation that a stock needs. */
export async function must<Answer>(asked: Promise<Answer>): Promise<Answer> {
  const answer = await asked;
  if (answer instanceof Refusal) throw new Error(answer.describe());
  return answer;
}

/** Stores a copy of a record with other members; its id is among them. */
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
