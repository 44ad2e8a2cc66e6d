import { Cursor } from './cursor.ts';
import { readHeredocBodies } from './read-heredocs.ts';
import { literalText, readCommand } from './read-command.ts';
import { readArithmetic } from './read-expansion.ts';
import { readWord } from './read-word.ts';
import { type FunctionDefinition, MalformedScript, type Script, type SimpleCommand } from './script.ts';

/** Words that mean something where a command may begin. */
const KEYWORD =
  /(?:if|then|elif|else|fi|while|until|do|done|!|coproc|\{|\}|esac|case|for|select|function|\[\[)(?=[\s;&|<>()]|$)/y;

type Closer = '' | ')' | '}' | 'esac';

/** What a list of commands ended at. */
type ListEnd = 'closer' | 'clause' | 'end';

/**
 * Reads a POSIX or bash script far enough to know every simple command that it may run, with quotes, here-documents, groups, loops,
 * `case`, functions and all substitutions. It does not check grammar: what only bash can refuse is left to bash.
 *
 * @throws MalformedScript when a quote, bracket or substitution stays open.
 * @example
 * parseScript('cd src && rm -rf "a b"').commands.length; // 2
 */
export function parseScript(text: string): Script {
  return readScript(new Cursor(text, readNested), '');
}

function readNested(cursor: Cursor, closer: ')' | ''): Script {
  return cursor.deeper(() => {
    if (closer === '') return readScript(cursor, '');
    const inner = cursor.nestedIn(cursor.text);
    inner.position = cursor.position;
    const script = readScript(inner, ')');
    cursor.position = inner.position;
    return script;
  });
}

function readScript(cursor: Cursor, closer: ')' | ''): Script {
  const commands: SimpleCommand[] = [];
  const functions: FunctionDefinition[] = [];
  const reader = new ListReader(cursor, commands, functions);
  const end = reader.readList(closer);
  if (closer !== '' && end === 'end') throw new MalformedScript('a bracket ( is never closed');
  return { commands, functions };
}

class ListReader {
  readonly #cursor: Cursor;
  readonly #commands: SimpleCommand[];
  readonly #functions: FunctionDefinition[];

  constructor(cursor: Cursor, commands: SimpleCommand[], functions: FunctionDefinition[]) {
    this.#cursor = cursor;
    this.#commands = commands;
    this.#functions = functions;
  }

  readList(closer: Closer): ListEnd {
    const cursor = this.#cursor;
    for (;;) {
      cursor.skipBlanks();
      if (cursor.done) {
        readHeredocBodies(cursor);
        return 'end';
      }
      if (cursor.char === ')') {
        cursor.position++;
        if (closer === ')') return 'closer';
      } else if (cursor.startsWith(';;') || cursor.startsWith(';&')) {
        cursor.position += cursor.startsWith(';;&') ? 3 : 2;
        this.#connect(';');
        if (closer === 'esac') return 'clause';
      } else if (!this.#readSeparator() && this.#readCommandOrKeyword(closer)) {
        return 'closer';
      }
    }
  }

  #readSeparator(): boolean {
    const cursor = this.#cursor;
    if (cursor.char === '\n') {
      cursor.position++;
      readHeredocBodies(cursor);
      this.#connect(';');
    } else if (cursor.char === ';') {
      cursor.position++;
      this.#connect(';');
    } else if (cursor.startsWith('&&') || cursor.startsWith('||')) {
      this.#connect(cursor.take(2) === '&&' ? '&&' : '||');
    } else if (cursor.char === '|') {
      cursor.position += cursor.ahead(1) === '&' ? 2 : 1;
      this.#connect('|');
    } else if (cursor.char === '&' && cursor.ahead(1) !== '>') {
      cursor.position++;
      this.#connect('&');
    } else {
      return false;
    }
    return true;
  }

  #connect(connector: ';' | '&' | '&&' | '||' | '|'): void {
    const last = this.#commands.at(-1);
    if (last && last.after === '') last.after = connector;
    else if (last && connector === '|') last.after = '|';
    else if (last && connector === '&' && last.after === ';') last.after = '&';
  }

  /** True when the closing word of the list was read. */
  #readCommandOrKeyword(closer: Closer): boolean {
    const cursor = this.#cursor;
    if (cursor.char === '(') {
      this.#readBracket();
      return false;
    }
    KEYWORD.lastIndex = cursor.position;
    const keyword = KEYWORD.exec(cursor.text)?.[0] ?? '';
    cursor.position += keyword.length;
    switch (keyword) {
      case '{':
        this.#readGroup('}');
        return false;
      case '}':
      case 'esac':
        return keyword === closer;
      case 'case':
        this.#readCase();
        return false;
      case 'for':
      case 'select':
        this.#readLoopHeader();
        return false;
      case 'function':
        cursor.skipBlanks();
        this.#readFunction(literalText(readWord(cursor)) ?? '');
        return false;
      case '[[':
        this.#skipCondition();
        return false;
      case '':
        this.#readSimple();
        return false;
      default:
        return false;
    }
  }

  #readSimple(): void {
    const cursor = this.#cursor;
    const previous = this.#commands.at(-1);
    const start = cursor.position;
    const command = readCommand(cursor, previous?.after === '|' ? previous : undefined);
    if (cursor.position === start) cursor.position++;
    cursor.skipBlanks();
    if (cursor.char === '(' && command.words.length === 1) this.#readFunction(literalText(command.words[0]) ?? '');
    else if (command.words.length + command.assignments.length + command.redirections.length > 0)
      this.#commands.push(command);
  }

  #readBracket(): void {
    const cursor = this.#cursor;
    const arithmetic = cursor.startsWith('((') ? readArithmetic(cursor, '((', '))') : undefined;
    if (arithmetic) {
      for (const script of arithmetic) this.#commands.push(...script.commands);
      return;
    }
    cursor.position++;
    this.#readGroup(')');
  }

  #readGroup(closer: ')' | '}'): void {
    if (this.#cursor.deeper(() => this.readList(closer)) === 'end')
      throw new MalformedScript(`a group is never closed by ${closer}`);
  }

  #readFunction(name: string): void {
    const cursor = this.#cursor;
    cursor.skipBlanks();
    if (cursor.char === '(') {
      cursor.position++;
      cursor.skipBlanks();
      if (cursor.startsWith(')')) cursor.position++;
    }
    for (cursor.skipBlanks(); cursor.char === '\n'; cursor.skipBlanks()) cursor.position++;
    const first = this.#commands.length;
    if (cursor.char === '{' && /\s/u.test(cursor.ahead(1))) {
      cursor.position++;
      this.#readGroup('}');
    } else if (cursor.char === '(') {
      this.#readBracket();
    }
    this.#functions.push({ name, commands: this.#commands.slice(first) });
  }

  /** `for name in words` and `for (( … ))`: the words are data, but substitutions in them run. */
  #readLoopHeader(): void {
    const cursor = this.#cursor;
    cursor.skipBlanks();
    if (cursor.startsWith('((')) {
      this.#readBracket();
      return;
    }
    this.#readDataWords();
  }

  #readCase(): void {
    const cursor = this.#cursor;
    this.#readDataWords();
    for (;;) {
      for (cursor.skipBlanks(); cursor.char === '\n'; cursor.skipBlanks()) cursor.position++;
      if (cursor.done) throw new MalformedScript('a case is never closed by esac');
      if (cursor.char === '(') cursor.position++;
      if (this.#readPattern()) return;
      const end = cursor.deeper(() => this.readList('esac'));
      if (end === 'closer') return;
      if (end === 'end') throw new MalformedScript('a case is never closed by esac');
    }
  }

  /** Reads `a | b)`; true when `esac` stands there instead. */
  #readPattern(): boolean {
    const cursor = this.#cursor;
    for (;;) {
      cursor.skipBlanks();
      if (cursor.done) throw new MalformedScript('a case is never closed by esac');
      const word = readWord(cursor);
      if (literalText(word) === 'esac') return true;
      if (!word && cursor.take(1) === ')') return false;
    }
  }

  #readDataWords(): void {
    const cursor = this.#cursor;
    for (;;) {
      cursor.skipBlanks();
      const word = readWord(cursor);
      if (!word) return;
      this.#pushData(word);
      if (literalText(word) === 'in' && cursor.char === '\n') return;
    }
  }

  #skipCondition(): void {
    const cursor = this.#cursor;
    while (!cursor.done) {
      for (cursor.skipBlanks(); cursor.char === '\n'; cursor.skipBlanks()) cursor.position++;
      const word = readWord(cursor);
      if (!word) cursor.position++;
      else if (literalText(word) === ']]') return;
      else this.#pushData(word);
    }
    throw new MalformedScript('a condition [[ is never closed');
  }

  /** A word that is no command: only what its substitutions run is kept. */
  #pushData(word: NonNullable<ReturnType<typeof readWord>>): void {
    for (const part of word.parts) {
      if (part.kind === 'command' || part.kind === 'process') this.#commands.push(...part.script.commands);
      else if (part.kind === 'opaque') for (const script of part.scripts) this.#commands.push(...script.commands);
    }
  }
}
