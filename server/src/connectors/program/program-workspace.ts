import { setImmediate } from 'node:timers/promises';
import type { ListToApply } from '../../domain/sources/runs/run.ts';
import {
  findListPart,
  findPartNumbers,
  type ListedPerson,
  type ListId,
} from '../../domain/sources/uploads/list-uploads.ts';
import {
  CollectionGone,
  type CollectionReading,
  CollectionUnreadable,
  type Workspace,
  type WorkspacePerson,
} from '../../domain/sources/workspaces/workspace.ts';
import type { Queries } from '../../storage/database.ts';

/** The lists that a program has uploaded, as a workspace. */
export class ProgramWorkspace implements Workspace {
  readonly #db: Queries;
  readonly #siteId: string;
  readonly #id: ListId;
  readonly #list: ListToApply;

  constructor(db: Queries, siteId: string, sourceId: string, list: ListToApply) {
    this.#db = db;
    this.#siteId = siteId;
    this.#id = { sourceId, collection: list.collection, list: list.list };
    this.#list = list;
  }

  async *collections() {
    // A program decides by its uploads which collections there are.
  }

  async preview(): Promise<never> {
    throw new CollectionGone();
  }

  async read(): Promise<CollectionReading> {
    const parts = await findPartNumbers({ db: this.#db, siteId: this.#siteId }, this.#id);
    if (parts.length !== this.#list.parts || parts.some((part, index) => part !== index)) {
      throw partMissing();
    }
    const people = () => this.#people();
    return {
      name: this.#list.name,
      token: null,
      isGroup: !(await someNameGroups(people())),
      people: people(),
    };
  }

  async *#people(): AsyncIterable<WorkspacePerson> {
    let row = 0;
    for (let part = 0; part < this.#list.parts; part += 1) {
      const people = await findListPart({ db: this.#db, siteId: this.#siteId }, this.#id, part);
      if (!people) throw partMissing();
      // Parts are large, and on SQLite they are read without waiting.
      await setImmediate();
      for (const person of people) yield toWorkspacePerson(person, ++row);
    }
  }
}

function partMissing(): CollectionUnreadable {
  return new CollectionUnreadable(
    'incomplete',
    'A part of the list is missing. Upload the whole list again.',
  );
}

async function someNameGroups(people: AsyncIterable<WorkspacePerson>): Promise<boolean> {
  for await (const { groups } of people) if (groups !== undefined) return true;
  return false;
}

function toWorkspacePerson(person: ListedPerson, row: number): WorkspacePerson {
  return { place: `person ${row}`, ...person };
}
