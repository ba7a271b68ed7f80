// Source: System V ABI, "Object Files" and "Dynamic Linking"; 64 bit, little endian, which all supported machines are.

const ELF_MAGIC = 0x7f454c46;
const SECTION_DYNAMIC = 6;
const TAG_END = 0n;
const TAG_NEEDED = 1n;

interface Section {
  type: number;
  offset: number;
  size: number;
  link: number;
}

/** The shared libraries (DT_NEEDED) that a program or library asks for; none for a file that is not ELF. */
export function neededLibraries(file: Buffer): string[] {
  if (file.length < 64 || file.readUInt32BE(0) !== ELF_MAGIC) return [];
  const sections = readSections(file);
  const dynamic = sections.find((section) => section.type === SECTION_DYNAMIC);
  const strings = dynamic && sections[dynamic.link];
  if (!strings) return [];
  const names: string[] = [];
  for (let position = dynamic.offset; position < dynamic.offset + dynamic.size; position += 16) {
    const tag = file.readBigInt64LE(position);
    if (tag === TAG_END) break;
    if (tag !== TAG_NEEDED) continue;
    const start = strings.offset + Number(file.readBigUInt64LE(position + 8));
    names.push(file.toString('latin1', start, file.indexOf(0, start)));
  }
  return names;
}

function readSections(file: Buffer): Section[] {
  const tableOffset = Number(file.readBigUInt64LE(40));
  const entrySize = file.readUInt16LE(58);
  const count = file.readUInt16LE(60);
  return Array.from({ length: count }, (_, index) => {
    const entry = tableOffset + index * entrySize;
    return {
      type: file.readUInt32LE(entry + 4),
      offset: Number(file.readBigUInt64LE(entry + 24)),
      size: Number(file.readBigUInt64LE(entry + 32)),
      link: file.readUInt32LE(entry + 40),
    };
  });
}
