/** An error that ends a command with one line. The message says what to do next. */
export class CommandFailure extends Error {
  readonly code: string;
  readonly exitCode: 1 | 2;
  /** More about it for programs. */
  details?: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.name = 'CommandFailure';
    this.code = code;
    this.exitCode = exitCode;
  }
}

/** A command was called with wrong arguments: exit code 2. */
export class WrongUsage extends CommandFailure {
  constructor(message: string) {
    super('wrong_usage', message, 2);
    this.name = 'WrongUsage';
  }
}
