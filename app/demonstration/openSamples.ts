import type { RoutedProduct } from '../product/openProduct.ts';
import { MissingUser } from './Caller.ts';
import { isSeeded, markSeeded } from './seedMark.ts';

/**
 * Creates the samples of the demonstration in the background, unless an earlier start has created them. Returns the
 * function that aborts the work and waits for its end. A failure is printed and does not affect the product; the next
 * start continues, except with data that lacks a user of the samples.
 */
export function openSamples(product: RoutedProduct, progress: (line: string) => void): () => Promise<void> {
  const closing = new AbortController();
  const { signal } = closing;
  const work = async (): Promise<void> => {
    if (await isSeeded('samples')) return;
    // Loaded only if it is needed, because it loads the image library.
    const { seedSamples } = await import('./samples/seedSamples.ts');
    try {
      await seedSamples(product, { signal, progress });
      progress('demonstration: complete');
    } catch (error) {
      if (!(error instanceof MissingUser)) throw error;
      // No later start can create them either, so they are reported once.
      await markSeeded('samples', new Date(product.platform.now()));
      progress(`demonstration: without samples. ${error.message} Start with another DATA_DIR to see them.`);
    }
  };
  const running = work().catch((error: Error) => {
    if (!signal.aborted) progress(`demonstration: incomplete, the next start continues. ${error.message}`);
  });
  return () => {
    closing.abort(new Error('The process closes.'));
    return running;
  };
}
