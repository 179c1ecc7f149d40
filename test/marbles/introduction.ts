/** What stands above the gallery. */
export const introduction = `# Marbles

What the library does and when, one behaviour at a time. Each picture and each diagram is a test that passed: \`npm test\` runs the
specs in virtual time and redraws their diagrams from what happened, and \`npm run marbles\` draws this page. It is generated; the
specs beside it are what to edit.

## How to read a diagram

All lanes stand on one axis, on which a frame is a millisecond. What is given, the model and the tools, stands where it was
subscribed to: a tool's lane begins in the column in which the tool starts. What is expected, \`events\`, is what \`stream()\` emits.

\`\`\`text
ms        0        5
model     -t-W    -|    - y|
weather      -    -r    |
events    -t-(W<w)-(*w%)>wy($|)
\`\`\`

The model says a text, calls \`weather\` with its capital letter, and ends its answer at 5 ms. The tool has started at 3 ms, when its
call was complete, and gives its result \`r\` at 5 ms. When it has ended, the model is asked again, and answers \`y\`.

| symbol | is |
| --- | --- |
| \`-\` | a frame in which nothing happens; \`20ms\` stands for as many of them |
| blanks | nothing: they keep the columns of all lanes in line |
| \`( )\` | all that happens in one frame |
| \`\\|\` \`#\` | completes, fails |
| \`^\` \`!\` below a lane | subscribed to, and left before the end |
| \`t\` or another letter | a text of the model, a value of a tool |
| \`~\` \`:\` | a thought, a piece of a call that is being written |
| \`W\` | the call of \`weather\` is complete; other tools have their own letters |
| \`!w\` | it waits for an approval |
| \`<w\` \`*w\` \`>w\` | the execution begins, has progress (the last one is the result), has ended |
| \`^w\` | what it had done is undone |
| \`%\` \`$\` | the response of a round that called tools, and the final one |
| \`=\` | contents that a retriever has found |
| \`@\` \`&\` | a retry of the provider, a round that is asked for again |

Lanes of what is given: \`model\`, the tools by their names, \`undo\` and a tool's name for its compensation, \`user\` for what the
application does with a started invocation. A lane on which nothing stands is one that must not run. Lanes of what is expected:
\`events\`, \`text\`, \`result\` and \`partial\`, each a view on the invocation. Below the diagrams: what the symbols stand for, the
settings of the service and the tools (\`…\` is code, which the spec has), the tools that each request \`offers\`, and what \`memory\`
holds in the end.`;
