import type { RoutedProduct } from '../product/openProduct.ts';
import { isSeeded } from './seedMark.ts';

/**
 * Creates the samples of the demonstration in the background, unless an earlier start has created them. Returns the
 * function that aborts the work and waits for its end. A failure is printed and does not affect the product; the next
 * start continues.
 */
export function openSamples(product: RoutedProduct, progress: (line: string) => void): () => Promise<void> {
  const closing = new AbortController();
  const { signal } = closing;
  const work = async (): Promise<void> => {
    if (await isSeeded('samples')) return;
    // Loaded only if it is needed, because it loads the image library.
    const { seedSamples } = await import('./samples/seedSamples.ts');
    await seedSamples(product, { signal, progress });
    progress('demonstration: complete');
  };
  const running = work().catch((error: Error) => {
    if (!signal.aborted) progress(`demonstration: incomplete, the next start continues. ${error.message}`);
  });
  return () => {
    closing.abort(new Error('The process closes.'));
    return running;
  };
}
