/**
 * Takes server-sent events apart. Tolerant: comments, CRLF, a byte order mark, data over several lines, empty data as a
 * keep-alive, and a last event without its blank line (turn engine spec 13, "Streaming accumulator").
 *
 * @example
 * const parser = new EventStreamParser();
 * parser.push('data: {"a":1}\n\nda'); // ['{"a":1}']
 */
export class EventStreamParser {
  #rest = '';
  #data: string | undefined;
  #started = false;

  /** Takes the next piece of text and returns the data of every event it completed. */
  push(text: string): string[] {
    const events: string[] = [];
    const buffer = this.#rest + this.#withoutMark(text);
    let from = 0;
    for (let at = buffer.indexOf('\n'); at >= 0; at = buffer.indexOf('\n', from)) {
      this.#line(buffer.slice(from, buffer.charCodeAt(at - 1) === 13 && at > from ? at - 1 : at), events);
      from = at + 1;
    }
    this.#rest = buffer.slice(from);
    return events;
  }

  /** The stream is over: returns what was still open. */
  end(): string[] {
    return this.push('\n\n');
  }

  #line(line: string, events: string[]): void {
    if (line === '') {
      if (this.#data !== undefined && this.#data !== '') events.push(this.#data);
      this.#data = undefined;
      return;
    }
    if (!line.startsWith('data:')) return;
    const value = line.slice(line.charCodeAt(5) === 32 ? 6 : 5);
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
  }

  #withoutMark(text: string): string {
    if (this.#started || text === '') return text;
    this.#started = true;
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }
}
