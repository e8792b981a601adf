// Why a run, or a collection of it, ends before it is done, although its workspace can be read.

/** Another process has the run, or the source was deleted. Nothing more may be written. */
export class LeaseLost extends Error {
  constructor() {
    super('Another process continues this synchronization, or the source was deleted.');
    this.name = 'LeaseLost';
  }
}

/** Somebody turned the source off during the run. */
export class SourceTurnedOff extends Error {
  readonly code = 'stopped';

  constructor() {
    super('The source was turned off during this run. What was done before remains.');
    this.name = 'SourceTurnedOff';
  }
}

/** Somebody changed the choice of a collection or its columns during the run. */
export class CollectionChanged extends Error {
  readonly code = 'stopped';

  constructor() {
    super('This collection was changed in Gatehouse during this run. The next run follows the change.');
    this.name = 'CollectionChanged';
  }
}

/** A run that ends its process, for example because it needs too much memory, is not begun again and again. */
export const maxClaims = 5;

export class TooManyClaims extends Error {
  constructor() {
    super(
      `A synchronization was begun ${maxClaims} times, and its process ended each time before it was done.`,
    );
    this.name = 'TooManyClaims';
  }
}
