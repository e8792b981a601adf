import { createParser } from 'eventsource-parser';

/** A block of server-sent events (HTML Standard, section 9.2.6) with an id or data. */
export interface StreamBlock {
  readonly id?: string | undefined;
  readonly data?: string | undefined;
}

/**
 * Reads the blocks of a text that arrives in parts. Blocks without data are included, which other readers leave out:
 * their ids tell where to continue although nothing has happened.
 */
export function blockReader(): (part: string) => StreamBlock[] {
  let blocks: StreamBlock[] = [];
  const parser = createParser({
    onId: (id) => blocks.push({ id }),
    onEvent: ({ id, data }) => {
      // The block of this id.
      if (id !== undefined) blocks.pop();
      blocks.push({ id, data });
    },
  });
  return (part) => {
    blocks = [];
    parser.feed(part);
    return blocks;
  };
}
