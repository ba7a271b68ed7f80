import type { ClientSession } from 'mongoose';
import { AppError } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { loadStock } from '../inventory/loadStock.ts';
import type { CountedPlaces } from '../inventory/openPlaces.ts';
import type { StockRow } from '../inventory/StockRow.ts';
import { writeStock } from '../inventory/writeStock.ts';
import type { FeedRow } from './feed/FeedRow.ts';
import { advance, type ImportRun, isToBeTold, rememberedMs } from './ImportRun.ts';
import { ImportErrorModel, type ImportErrorRecord } from './model.ts';
import { stockNumberOf, toStockRow } from './toStockRow.ts';

/** Validated rows. */
export interface PreparedRows {
  good: readonly { number: number; row: StockRow }[];
  failed: readonly FailedRow[];
}

/** Validates the form of rows, which needs no stored data. */
export function prepareRows(rows: readonly FeedRow[]): PreparedRows {
  const good: { number: number; row: StockRow }[] = [];
  const failed: FailedRow[] = [];
  for (const row of rows) {
    try {
      good.push({ number: row.number, row: toStockRow(row) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failed.push({ number: row.number, stockNumber: stockNumberOf(row), error });
    }
  }
  return { good, failed };
}

/** Applies rows to the stock, stores their errors and counts them in one transaction. */
export async function writeRows(work: ImportRun, { good, failed }: PreparedRows): Promise<void> {
  await work.run.assertHeld();
  const { record, context } = work;
  const isTold = isToBeTold(work);
  let counted: CountedPlaces | undefined;
  const counts = await inTransaction(async (session) => {
    counted = undefined;
    const stock = await loadStock(context, record.dealerId, session);
    const rows = good.map(({ row }) => row);
    const outcomes = await writeStock(rows, stock, {
      session,
      dryRun: record.dryRun,
      announcesTogether: true,
      counted: work.counted,
      onCounted: (places) => {
        counted = places;
      },
    });
    const errors = [...failed];
    const done = { created: 0, updated: 0, unchanged: 0, failed: failed.length };
    for (const [index, outcome] of outcomes.entries()) {
      done[outcome.kind === 'known' ? 'unchanged' : outcome.kind] += 1;
      if (outcome.kind !== 'failed') continue;
      const { row, error } = outcome;
      errors.push({ number: good[index]?.number ?? 0, stockNumber: row.stockNumber, error });
    }
    await storeErrors(work, errors, session);
    return advance(work, { ...done, rows: good.length + failed.length }, { session, isTold });
  });
  record.counts = counts;
  work.counted = counted;
  if (isTold) work.toldAt = performance.now();
}

interface FailedRow {
  number: number;
  stockNumber: string | null;
  error: AppError;
}

async function storeErrors(
  { record, context }: ImportRun,
  failed: readonly FailedRow[],
  session: ClientSession,
): Promise<void> {
  const removeAt = new Date(context.platform.now() + rememberedMs);
  const inserts = failed.flatMap(({ number, stockNumber, error }) => {
    const { errors = [{ pointer: '#', code: error.code, detail: error.message }] } = error.details;
    return errors.map((problem, index): { insert: Omit<ImportErrorRecord, 'installationId'> } => ({
      insert: {
        _id: `${record._id}:${number}:${String(index).padStart(3, '0')}`,
        importId: record._id,
        row: number,
        stockNumber,
        ...problem,
        removeAt,
      },
    }));
  });
  await scoped(ImportErrorModel, record.installationId).writeEach(inserts, { session });
}
