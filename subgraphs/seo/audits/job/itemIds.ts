const positionDigits = 3;

/**
 * Returns the id of an item: that of its job, with the last digits replaced by the item's position. Items therefore
 * need no stored id and no index.
 *
 * @param position from 1
 */
export function itemIdOf(jobId: string, position: number): string {
  return `it_${stemOf(jobId)}${String(position).padStart(positionDigits, '0')}`;
}

/** Returns the position of an item in a job with this number of items; null if the job has no such item. */
export function positionOf(jobId: string, total: number, itemId: string): number | null {
  const position = Number(itemId.slice(-positionDigits));
  return position >= 1 && position <= total && itemIdOf(jobId, position) === itemId ? position : null;
}

/** Returns the filter for the job of an item. */
export function jobOfItem(itemId: string): { _id: { $gte: string; $lte: string } } {
  const stem = `job_${stemOf(itemId)}`;
  return { _id: { $gte: stem.padEnd(stem.length + positionDigits, '0'), $lte: `${stem}ZZZ` } };
}

function stemOf(id: string): string {
  return id.slice(id.indexOf('_') + 1, -positionDigits);
}
