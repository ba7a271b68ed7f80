const positionDigits = 3;

/**
 * Id of an item: that of its job, the last digits replaced by the item's position. Items need no stored id and no index
 * that way.
 *
 * @param position from 1
 */
export function itemIdOf(jobId: string, position: number): string {
  return `it_${stemOf(jobId)}${String(position).padStart(positionDigits, '0')}`;
}

/** Position of an item in a job of so many items; null if the job has no such item. */
export function positionOf(jobId: string, total: number, itemId: string): number | null {
  const position = Number(itemId.slice(-positionDigits));
  return position >= 1 && position <= total && itemIdOf(jobId, position) === itemId ? position : null;
}

/** The filter that finds the job of an item. */
export function jobOfItem(itemId: string): { _id: { $gte: string; $lte: string } } {
  const stem = `job_${stemOf(itemId)}`;
  return { _id: { $gte: stem.padEnd(stem.length + positionDigits, '0'), $lte: `${stem}ZZZ` } };
}

function stemOf(id: string): string {
  return id.slice(id.indexOf('_') + 1, -positionDigits);
}
