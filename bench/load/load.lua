-- Sends the requests of a file repeatedly. Each line has method, path, body and additional headers, separated by tabs.
-- `NNNNNNNNN` in a body becomes a nine-digit number that is unique in this run.
-- Arguments: the file, the API key, the first number.

local heads, tails, next_line, number = {}, {}, 0, 0
local mark = "NNNNNNNNN"

function init(args)
  number = tonumber(args[3])
  for line in io.lines(args[1]) do
    local method, path, body, own = line:match("^(%S+)\t([^\t]+)\t([^\t]*)\t?(.*)$")
    if body == "" then body = nil end
    local headers = { ["Authorization"] = "Bearer " .. args[2] }
    headers["Content-Type"] = body and "application/json" or nil
    for name, value in own:gmatch("([^\t:]+): ([^\t]*)") do headers[name] = value end
    local text = wrk.format(method, path, headers, body)
    local at = text:find(mark, 1, true)
    heads[#heads + 1] = at and text:sub(1, at - 1) or text
    tails[#heads] = at and text:sub(at + #mark) or false
  end
end

function request()
  next_line = next_line % #heads + 1
  local tail = tails[next_line]
  if not tail then return heads[next_line] end
  number = number + 1
  return heads[next_line] .. string.format("%09d", number) .. tail
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"microseconds":%d,"p50":%d,"p99":%d,"failed":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
