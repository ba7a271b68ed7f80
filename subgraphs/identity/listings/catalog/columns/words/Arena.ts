const blockBits = 20;
const blockSize = 1 << blockBits;
const firstBlock = 4096;

/** Bytes by address, in blocks. It starts small and grows without copying. */
export class Arena {
  readonly #blocks: Uint8Array[] = [];
  #used = blockSize;

  /** Returns the number of allocated bytes. */
  get bytes(): number {
    return this.#blocks.reduce((sum, { length }) => sum + length, 0);
  }

  /** Allocates a number of contiguous bytes, at most a block, and returns their address. */
  claim(size: number): number {
    if (this.#used + size > blockSize) {
      this.#blocks.push(new Uint8Array(this.#blocks.length === 0 ? firstBlock : blockSize));
      this.#used = 0;
    }
    const address = (this.#blocks.length - 1) * blockSize + this.#used;
    this.#used += size;
    this.#growTo(this.#used);
    return address;
  }

  /** Returns the block of an address. It may be another array after an allocation. */
  blockOf(address: number): Uint8Array {
    return this.#blocks[address >>> blockBits] as Uint8Array;
  }

  offsetOf(address: number): number {
    return address & (blockSize - 1);
  }

  readAddress(at: number): number {
    const block = this.blockOf(at);
    const offset = this.offsetOf(at);
    const byte = (index: number): number => block[offset + index] as number;
    return (byte(0) | (byte(1) << 8) | (byte(2) << 16) | (byte(3) << 24)) >>> 0;
  }

  writeAddress(at: number, address: number): void {
    const block = this.blockOf(at);
    const offset = this.offsetOf(at);
    for (let index = 0; index < 4; index += 1) block[offset + index] = address >>> (8 * index);
  }

  #growTo(used: number): void {
    const last = this.#blocks.length - 1;
    const block = this.#blocks[last] as Uint8Array;
    if (used <= block.length) return;
    const grown = new Uint8Array(Math.min(blockSize, block.length * 2));
    grown.set(block);
    this.#blocks[last] = grown;
    this.#growTo(used);
  }
}
