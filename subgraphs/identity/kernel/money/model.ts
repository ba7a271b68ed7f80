import { Schema } from 'mongoose';

/** Integer minor units and ISO 4217 code. */
export interface StoredMoney {
  amount: number;
  currency: string;
}

/** Returns the embedded schema of an amount. */
export function moneySchema(): Schema<StoredMoney> {
  return new Schema<StoredMoney>({ amount: Number, currency: String }, { _id: false, id: false });
}
